# frozen_string_literal: true

module Billing
  # Double-entry bookkeeping: every booking has a debit and a credit.
  class Ledger
    Booking = Struct.new(:debit, :credit, :amount, :text)

    def initialize
      @bookings = []
      @open = {}
    end

    def book(debit, credit, amount, text)
      @bookings << Booking.new(debit, credit, amount, text)
    end

    def settle(charge)
      invoice = @open.delete(charge)
      book(:bank, :receivables, invoice.gross, "payment of invoice #{invoice.number}") if invoice
    end

    def balance(account)
      debits = @bookings.select { |one| one.debit == account }.sum { |one| one.amount.cents }
      credits = @bookings.select { |one| one.credit == account }.sum { |one| one.amount.cents }
      debits - credits
    end
  end
end
