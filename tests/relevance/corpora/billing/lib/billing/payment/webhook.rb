# frozen_string_literal: true

require "openssl"

module Billing
  module Payment
    # Receives what the payment provider reports.
    class Webhook
      class BadSignature < StandardError; end

      def initialize(secret, ledger)
        @secret = secret
        @ledger = ledger
      end

      def receive(body, signature)
        raise BadSignature, "the signature of the webhook is wrong" unless genuine?(body, signature)

        event = JSON.parse(body)
        @ledger.settle(event["charge"]) if event["type"] == "charge.succeeded"
      end

      private

      def genuine?(body, signature)
        expected = OpenSSL::HMAC.hexdigest("SHA256", @secret, body)
        OpenSSL.secure_compare(expected, signature)
      end
    end
  end
end
