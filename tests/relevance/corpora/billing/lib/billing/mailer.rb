# frozen_string_literal: true

module Billing
  # Mails to customers.
  class Mailer
    def initialize(transport)
      @transport = transport
    end

    def remind(invoice, level)
      subject = level == 3 ? "Last reminder" : "Payment reminder"
      @transport.deliver(to: invoice.customer.email, subject: "#{subject}: invoice #{invoice.number}")
    end

    def receipt(payment)
      @transport.deliver(to: payment.customer.email, subject: "Thank you for your payment")
    end
  end
end
