# frozen_string_literal: true

module Billing
  # A discount for some months.
  class Coupon
    class Expired < StandardError; end

    def initialize(code, percent:, valid_until:)
      @code = code
      @percent = percent
      @valid_until = valid_until
    end

    def apply(price, today)
      raise Expired, "coupon #{@code} expired on #{@valid_until}" if today > @valid_until

      price * Rational(100 - @percent, 100)
    end
  end
end
