# frozen_string_literal: true

module Billing
  # Checks the form of a VAT identification number.
  module VatId
    PATTERNS = { "DE" => /\ADE\d{9}\z/, "FR" => /\AFR[A-Z0-9]{2}\d{9}\z/, "AT" => /\AATU\d{8}\z/ }.freeze

    def self.valid?(text)
      pattern = PATTERNS[text[0, 2]]
      !pattern.nil? && pattern.match?(text)
    end
  end
end
