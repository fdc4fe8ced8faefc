#lang racket/base
(require racket/list
         "price.rkt"
         (only-in "util.rkt" trim)
         (prefix-in db: "db.rkt")
         (for-syntax racket/base))
(provide add (struct-out cart))

(struct cart (items [owner #:mutable]) #:transparent)
(struct big-cart cart (limit))

;; Adds an item.
(define (add c item #:times [n 1])
  (match c
    [(cart items _) (db:save (cons item items))]
    [#f (raise-cart-error "a ( b")])
  (for/list ([one (cart-items c)]
             #:when (shown? one))
    (round-price one limit-of)))

(define limit-of 20)
(define/contract (shown? c) (-> any/c boolean?) (and c #t))
(define-syntax-rule (with-cart c body ...) (let ([x c]) body ...))

(define text #<<END
(define (not-code) 1)
END
  )

(module+ test
  (define sample (cart '() 'me))
  (check-equal? (add sample 1) sample))
