# frozen_string_literal: true

module Billing
  # Numbers without gaps, as the tax office wants them.
  class InvoiceNumber
    def initialize(store)
      @store = store
    end

    # Returns the next number of a year, such as 2024-00042.
    def next_for(year)
      @store.transaction do
        sequence = (@store[year] || 0) + 1
        @store[year] = sequence
        format("%<year>d-%<sequence>05d", year: year, sequence: sequence)
      end
    end
  end
end
