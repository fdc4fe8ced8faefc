# frozen_string_literal: true

RSpec.describe Billing::Dunning do
  it "reminds a customer who does not pay, and suspends the subscription in the end" do
    dunning = described_class.new(mailer)
    dunning.advance(invoice, subscription, issued_on + 36)
    expect(subscription.state).to eq(:suspended)
  end
end
