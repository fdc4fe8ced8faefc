#!/usr/bin/env lua
--- A stack, and what draws it.
-- See https://example.org/stack.html

local json = require("lib.json")
local class = require "middleclass"
require('compat')

local M = {}
local MAX_DEPTH <const> = 64
VERSION = "1.0"

local Stack = class("Stack")
Stack.__index = Stack

--- Makes a stack.
-- @param items a list
function Stack.new(items)
  local self = setmetatable({}, Stack)
  self.items = items or {}
  return self
end

-- Adds an item.
function Stack:push(item)
  if #self.items > MAX_DEPTH then
    error("full")
  end
  table.insert(self.items, item)
  self:notify("push", item)
end

Stack.limit = MAX_DEPTH

function M.util.trim(s)
  -- Both ends.
  return (s:gsub("^%s+", ""))
end

local function helper(a, b)
  local inner = function(x) return x + a end
  return inner(b)
end

M.encode = function(value)
  return json.encode(value)
end

local decode = function(text)
  return json.decode(text)
end

M.handlers = {
  open = function(path)
    return io.open(path, "r")
  end,
  --[[ Closes. ]]
  close = function(file) file:close() end,
}

M.DEFAULT = 3

describe("stack", function()
  it("pushes", function()
    local s = Stack.new {}
    s:push(1)
  end)
end)

return M
