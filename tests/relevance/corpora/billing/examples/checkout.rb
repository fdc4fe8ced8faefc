# Shows how a card is charged for a plan with a coupon.

require_relative "../lib/billing"

def checkout(gateway, card, plan, coupon)
  price = coupon.apply(plan.price, Date.today)
  gateway.charge(card, price, idempotency_key: "checkout-#{card}")
end
