# frozen_string_literal: true

# Billing for orders.
require "json"
require_relative "../lib/money"

module Billing
  # An invoice.
  #
  # See docs/invoice.md
  class Invoice < ApplicationRecord
    include Comparable
    extend Forwardable

    STATES = %w[open paid].freeze
    attr_reader :number, :total
    belongs_to :customer, class_name: "Person"

    # Makes one.
    def initialize(number, lines = [])
      super()
      @number = number
      @lines = lines
    end

    # Finds by number.
    def self.find_by_number(number)
      where(number: number).first || raise(NotFound, "no #{number}")
    end

    class << self
      def open_count
        Invoice.where(state: :open).count
      end
    end

    def total
      @lines.sum { |line| Money.new(line.price) * line.amount }
    end

    def paid? = total.zero?

    def ==(other)
      number == other.number
    end

    private

    def notify!
      customer&.mailer.deliver(self)
      Billing::Audit.log("paid", self)
    end
  end

  class Error < StandardError; end
  NotFound = Class.new(Error)
  Point = Struct.new(:x, :y) do
    def norm
      Math.sqrt(x * x + y * y)
    end
  end
end

module Billing::Export
  # What it writes.
  FORMATS = %i[csv pdf].freeze

  def export(format) = FORMATS.fetch(format)
end

class Billing::Report
  def rows = Billing::Invoice.find_by_number(1)
end

def helper(a, *rest)
  puts a
end

RSpec.describe Billing::Invoice do
  let(:invoice) { described_class.new(1) }

  describe "#total" do
    it "sums the lines" do
      expect(invoice.total).to eq(0)
    end
  end
end
