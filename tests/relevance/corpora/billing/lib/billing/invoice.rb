# frozen_string_literal: true

module Billing
  # A bill with its lines. Once it was issued it is never changed.
  class Invoice
    Line = Struct.new(:text, :amount)

    attr_reader :number, :customer, :lines, :issued_on

    def initialize(customer, number)
      @customer = customer
      @number = number
      @lines = []
    end

    def add_line(text, amount)
      raise FrozenError, "invoice #{number} was issued already" if issued_on

      @lines << Line.new(text, amount)
    end

    def issue!(day)
      @issued_on = day
      @lines.freeze
    end

    def net
      lines.map(&:amount).reduce(Money.new(0), :+)
    end

    def gross
      net + Tax.for(customer).on(net)
    end

    def overdue?(today)
      issued_on && today > issued_on + 14
    end
  end
end
