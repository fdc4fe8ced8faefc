# frozen_string_literal: true

require_relative "declined"

module Billing
  module Payment
    # Charges cards at the payment provider. A key makes sure that a charge that is sent twice is made once.
    class Gateway
      def initialize(http, api_key)
        @http = http
        @api_key = api_key
      end

      def charge(card, amount, idempotency_key:)
        headers = { "Authorization" => "Bearer #{@api_key}", "Idempotency-Key" => idempotency_key }
        response = @http.post("/charges", { card: card, amount: amount.cents }, headers)
        raise Declined, "card was declined: #{response['reason']}" if response["status"] == "declined"

        response["id"]
      end

      def refund(charge, amount)
        @http.post("/refunds", { charge: charge, amount: amount.cents }, {})
      end
    end
  end
end
