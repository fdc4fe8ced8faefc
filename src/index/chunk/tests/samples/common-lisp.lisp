;;;; Carts.

(defpackage #:shop.cart
  (:use #:cl #:shop.price)
  (:export #:cart #:add))

(in-package #:shop.cart)

#| What somebody wants to buy #| nested |# (defun nothing ()) |#

(defvar *carts* nil "All carts.")
(defparameter *limit* 20)
(defconstant +min+ 1)

(define-condition too-many (error) ())

(defclass cart (thing shop.base:shown)
  ((items :initarg :items :accessor cart-items :documentation "What is in it.")
   (owner :initform (default-owner) :reader cart-owner))
  (:documentation "A cart."))

(defstruct (line (:include row)) item (n 1))

(defgeneric add (cart item)
  (:documentation "Adds an item."))

;; Adds it.
(defmethod add :around ((cart cart) (item item))
  "Adds ITEM."
  (let ((n (length (cart-items cart))))
    (when (> n *limit*)
      (error 'too-many))
    (flet ((inner (x) (shop.price:round-up x)))
      (push item (cart-items cart))
      (mapcar #'price-of (list #\( #\Space "a ( b"))
      (inner n))
    (loop for line in (lines cart) sum (price line))
    (handler-case (save cart)
      (too-many (c) (report c)))))

(defun (setf limit) (value) (setf *limit* value))

(defmacro with-cart ((var) &body body)
  `(let ((,var (make-instance 'cart))) (open-cart ,var) ,@body))

#+sbcl (defun native () (sb-ext:gc))

(eval-when (:compile-toplevel)
  (defun early (|odd name|) (add nil |odd name|)))

(deftest adds (is (add nil 1)))
