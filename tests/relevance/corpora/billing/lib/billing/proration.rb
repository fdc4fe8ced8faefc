# frozen_string_literal: true

module Billing
  # The share of a period that is left after a day.
  class Proration
    def initialize(period, day)
      @period = period
      @day = day
    end

    # What is not used up of a price.
    def unused(price)
      price * share_left
    end

    private

    def share_left
      total = (@period.end - @period.begin).to_i + 1
      Rational((@period.end - @day).to_i, total)
    end
  end
end
