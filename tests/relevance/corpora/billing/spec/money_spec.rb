# frozen_string_literal: true

RSpec.describe Billing::Money do
  it "splits an amount into parts whose sum is the amount" do
    parts = described_class.new(100).allocate(3)
    expect(parts.map(&:cents)).to eq([34, 33, 33])
  end

  it "refuses to add another currency" do
    expect { described_class.new(1, "EUR") + described_class.new(1, "USD") }
      .to raise_error(Billing::Money::CurrencyMismatch)
  end
end
