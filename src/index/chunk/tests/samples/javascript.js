#!/usr/bin/env node
// Licence.
'use strict';
const path = require('path');
import React, { useState as state } from 'react';

/** Shows a thing; see https://example.org/thing and src/thing.js. */
export default class Thing extends React.Component {
  static defaults = { a: 1 };
  #hidden = () => this.load();
  constructor(props) {
    super(props);
  }
  // Renders.
  render() {
    return <List items={this.props.items}><Item.Row onClick={() => this.go()} /></List>;
  }
}

const LIMIT = 3, other = [1, 2];
let handler = async function (event) {
  await fetch(`${LIMIT}`);
};
Thing.prototype.go = function () {
  handler(new path.Parser());
};
module.exports = {
  run(a) { return a; },
  stop: function () {
    clearTimeout(1);
  },
};
function* numbers() { yield 1; }
describe('Thing', () => {
  it('goes', () => { expect(new Thing().go()).toBe(undefined); });
});

module.exports = class Compiler extends Base {
  run() {
    return 1;
  }
};
module.exports.isOver = (a) => a > 1;
/** Where it lies. */
exports.publicPath = "__path__";
exports.other = other;
