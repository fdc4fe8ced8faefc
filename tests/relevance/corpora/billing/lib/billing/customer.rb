# frozen_string_literal: true

module Billing
  # Who pays.
  class Customer
    attr_reader :email, :country, :vat_id
    attr_accessor :balance

    def initialize(email:, country:, vat_id: nil)
      @email = email
      @country = country
      @vat_id = vat_id
      @balance = Money.new(0)
    end

    def business?
      !vat_id.nil?
    end
  end
end
