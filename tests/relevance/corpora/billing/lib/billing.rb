# frozen_string_literal: true

require_relative "billing/money"
require_relative "billing/plan"
require_relative "billing/customer"
require_relative "billing/subscription"
require_relative "billing/invoice"
require_relative "billing/tax"
require_relative "billing/payment/gateway"
require_relative "billing/dunning"

# Bills customers for subscriptions.
module Billing
  VERSION = "3.2.0"
end
