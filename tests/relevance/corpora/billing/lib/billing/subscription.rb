# frozen_string_literal: true

require_relative "proration"

module Billing
  # A customer's subscription to a plan.
  class Subscription
    attr_reader :customer, :plan, :period, :state

    def initialize(customer, plan, period)
      @customer = customer
      @plan = plan
      @period = period
      @state = :active
    end

    # Changes to another plan in the middle of a period. The rest of the old plan is credited.
    def change_plan(other, on:)
      proration = Proration.new(period, on)
      credit = proration.unused(plan.price)
      charge = proration.unused(other.price)
      @plan = other
      charge + (credit * -1)
    end

    # Starts the next period.
    def renew!
      length = plan.yearly? ? 365 : 30
      @period = (period.end + 1)..(period.end + length)
    end

    def suspend!
      @state = :suspended
    end

    def cancel!
      @state = :cancelled
    end

    def active?
      state == :active
    end
  end
end
