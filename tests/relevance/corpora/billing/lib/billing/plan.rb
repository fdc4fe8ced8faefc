# frozen_string_literal: true

require "yaml"

module Billing
  # What can be subscribed to.
  Plan = Struct.new(:name, :price, :interval, :seats, keyword_init: true) do
    def self.load_all(path = "config/plans.yml")
      YAML.load_file(path).to_h do |name, row|
        price = Money.new(row["price_cents"])
        [name, new(name: name, price: price, interval: row["interval"], seats: row["seats"])]
      end
    end

    def yearly?
      interval == "year"
    end
  end
end
