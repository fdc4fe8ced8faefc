// Licence
import def, { a as b, type C } from './mod';
import * as ns from "lib/x";
import './side.css';
import fs = require("fs");

/** Doc. */
@Entity()
export class Foo<T> extends Base<T, ns.Q> implements I, ns.J {
  @Column() name: string = "x";
  private h = (e: Event): void => { this.go(e) };
  constructor(private readonly a: A) { super(); }
  /** m */
  @Get("/x") async m<T>(x: Map<string, K>): Promise<T> { return await this.a.find<T>(x).then(y => y) }
}
export interface I2 extends I3 { run(a: X): void; p: string }
export type U = A | B;
export const f = async (x: number): Promise<void> => { g(x); new Klass(1); new ns.Kl(); };
const K1 = 3, K2 = 4;
export default function () {}
export enum E { A, B }
namespace N { export function q() {} }
declare module "m" { function z(): void; }
describe("thing", () => { it("works", async () => { expect(1).toBe(2) }) });
exports.foo = function (a) { return 1 };
const o = { k: function () {
 x() } };
function ovl(a: string): void;
export * from './other';
export { z1 } from './z';
abstract class Ab { abstract p(): void; static s() {} }
