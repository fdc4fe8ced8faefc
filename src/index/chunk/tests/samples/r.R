#!/usr/bin/env Rscript
library(dplyr)
suppressPackageStartupMessages(require("stats"))
source("R/items.R")

LIMIT <- 100

#' Sums it up.
#'
#' @param cart A data frame.
total <- function(cart, digits = 2) {
  add <- function(a, b) a + b
  cart %>%
    dplyr::filter(cost > 0) %>%
    summarise(sum = sum(cost))
}

print.cart = function(x, ...) cat("cart of", nrow(x$items), "\n")

Cart <- R6Class("Cart",
  public = list(
    items = NULL,
    initialize = function(items) {
      self$items <- items
    },
    total = function() {
      sum(self$items$cost)
    }
  )
)

setGeneric("area", function(shape) standardGeneric("area"))

setMethod("area", "Circle", function(shape) {
  pi * shape@r^2
})

test_that("it adds", {
  expect_equal(total(cart), 3)
})
