# frozen_string_literal: true

module Billing
  module Reports
    # Monthly recurring revenue.
    class Revenue
      def initialize(subscriptions)
        @subscriptions = subscriptions
      end

      def monthly_recurring
        @subscriptions.select(&:active?).sum do |subscription|
          price = subscription.plan.price.cents
          subscription.plan.yearly? ? price / 12 : price
        end
      end
    end
  end
end
