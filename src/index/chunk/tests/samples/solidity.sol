// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ownable} from "./access/Ownable.sol";
import "./Money.sol";

/// Sells things.
contract Shop is Ownable, IShop {
    using Money for uint256;

    uint256 public constant MAX = 10;
    mapping(address => Order) private orders;

    struct Order {
        uint256 total;
        State state;
    }
    enum State { Open, Paid }
    event Placed(address indexed by, uint256 total);
    error TooMany(uint256 n);

    modifier onlyOpen() {
        require(isOpen, "closed");
        _;
    }

    constructor(address owner) Ownable(owner) {
        open();
    }

    /// Places an order.
    function place(uint256 n) external onlyOpen returns (Order memory) {
        if (n > MAX) revert TooMany(n);
        Order memory order = Order(Money.of(n), State.Open);
        emit Placed(msg.sender, order.total);
        return order;
    }

    receive() external payable {}
}

interface IShop {
    function place(uint256 n) external returns (Shop.Order memory);
}

library Rates {
    function of(uint256 n) internal pure returns (uint256) { return n; }
}
