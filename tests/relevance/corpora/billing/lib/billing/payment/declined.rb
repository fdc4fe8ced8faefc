# frozen_string_literal: true

module Billing
  module Payment
    # The bank refused to pay.
    class Declined < StandardError; end
  end
end
