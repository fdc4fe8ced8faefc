;;; Carts.
(define-library (shop cart)
  (export add make-cart)
  (import (scheme base) (shop price) (only (shop util) trim))
  (begin
    (define limit 20)

    ;; Adds an item.
    (define (add cart item . rest)
      (define (inner x) (round-price x))
      (let loop ((n (length (cart-items cart))) (more rest))
        (cond
          ((> n limit) (error "too many (" n))
          ((null? more) (inner item))
          (else (loop (+ n 1) (cdr more)))))
      (for-each trim-item (list #\( #\space 'add)))

    (define shown? (lambda (cart) (and cart #t)))
    (define ((curried a) b) (add a b))

    (define-record-type cart
      (make-cart items owner)
      cart?
      (items cart-items set-cart-items!)
      (owner cart-owner))

    (define-syntax with-cart
      (syntax-rules ()
        ((_ cart body ...) (let ((c cart)) body ...))))

    #;(define (ignored) 1)
    #| (define (also-ignored) 1) |#
    (load "late.scm")))
