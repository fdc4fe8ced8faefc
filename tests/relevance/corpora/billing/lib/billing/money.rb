# frozen_string_literal: true

module Billing
  # An amount in the smallest unit of a currency.
  class Money
    include Comparable

    class CurrencyMismatch < StandardError; end

    attr_reader :cents, :currency

    def initialize(cents, currency = "EUR")
      @cents = cents
      @currency = currency
    end

    def +(other)
      raise CurrencyMismatch, "can't add #{other.currency} to #{currency}" unless currency == other.currency

      Money.new(cents + other.cents, currency)
    end

    # Multiplies by a rational number and rounds half to even.
    def *(factor)
      Money.new((cents * factor).round(half: :even), currency)
    end

    def zero?
      cents.zero?
    end

    def <=>(other)
      cents <=> other.cents
    end

    # Splits an amount into parts whose sum is the amount again.
    def allocate(parts)
      quotient, rest = cents.divmod(parts)
      Array.new(parts) { |i| Money.new(quotient + (i < rest ? 1 : 0), currency) }
    end
  end
end
