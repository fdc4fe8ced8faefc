# frozen_string_literal: true

module Billing
  # Value-added tax, by the country of a customer.
  class Tax
    RATES = { "DE" => Rational(19, 100), "FR" => Rational(20, 100), "AT" => Rational(20, 100) }.freeze

    def self.for(customer)
      return new(0) if reverse_charge?(customer)

      new(RATES.fetch(customer.country, 0))
    end

    # A business in another country of the union pays the tax itself.
    def self.reverse_charge?(customer)
      customer.business? && customer.country != "DE"
    end

    def initialize(rate)
      @rate = rate
    end

    def on(amount)
      amount * @rate
    end
  end
end
