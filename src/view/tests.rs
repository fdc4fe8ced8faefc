//! Tests of all views.
