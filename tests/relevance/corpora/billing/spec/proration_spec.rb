# frozen_string_literal: true

RSpec.describe Billing::Proration do
  it "credits what is not used up of a price in the middle of a period" do
    proration = described_class.new(Date.new(2024, 4, 1)..Date.new(2024, 4, 30), Date.new(2024, 4, 15))
    expect(proration.unused(Billing::Money.new(3000)).cents).to eq(1500)
  end
end
