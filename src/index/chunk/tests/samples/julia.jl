# The shop.
module Shop

using LinearAlgebra: dot, norm
using DataFrames
import Base.show
import Base: getindex as get, +
include("items.jl")

export Cart, total

const LIMIT = 100

"""
What has a price.
"""
abstract type Priced end

"An item."
struct Item{T<:Real} <: Priced
    name::String
    cost::T
end

Base.@kwdef mutable struct Cart
    items::Vector{Item} = Item[]
end

"""
    total(cart)

Sums it up.
"""
function total(cart::Cart)::Int
    items = cart.items
    sum(price.(items))
end

price(item::Item) = item.cost * rate(item)

function Base.show(io::IO, cart::Cart)
    print(io, "cart of ", length(cart.items))
end

twice(x::T) where {T<:Real} = 2x

macro timed(ex)
    quote
        @elapsed $(esc(ex))
    end
end

@inline function add!(cart, item)
    push!(cart.items, item)
    local_sum = 0
    return cart
end

end # module

@testset "adds $x" begin
    @test total(cart) == 3
end
