# frozen_string_literal: true

module Billing
  # Reminds customers who do not pay, and suspends them in the end.
  class Dunning
    REMINDER_DAYS = [7, 14, 21].freeze

    def initialize(mailer)
      @mailer = mailer
    end

    # Takes the step that is due for an unpaid invoice.
    def advance(invoice, subscription, today)
      return unless invoice.overdue?(today)

      days = (today - invoice.issued_on).to_i - 14
      if days > REMINDER_DAYS.last
        subscription.suspend!
      elsif REMINDER_DAYS.include?(days)
        @mailer.remind(invoice, REMINDER_DAYS.index(days) + 1)
      end
    end
  end
end
