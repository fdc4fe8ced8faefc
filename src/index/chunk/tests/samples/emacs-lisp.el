;;; shop-cart.el --- Carts  -*- lexical-binding: t; -*-

;;; Commentary:

;; What somebody wants to buy.

;;; Code:

(require 'shop-price)
(require 'cl-lib)
(eval-when-compile (require 'subr-x))

(defgroup shop nil "Buying things." :group 'tools)

(defcustom shop-cart-limit 20
  "Most items (of a cart)."
  :type 'integer)

(defvar shop-cart-list nil
  "All carts.")

(defconst shop-cart-version "1.0")

(cl-defstruct (shop-cart (:include shop-thing) (:constructor shop-cart-make))
  "A cart."
  id
  (items nil :type list))

;; Adds it.
(defun shop-cart-add (cart item &optional n)
  "Add ITEM to CART, as \"often\" as N.
(This is not a list."
  (interactive "P")
  (let* ((items (shop-cart-items cart))
         (count (length items))
         found)
    (when (> count shop-cart-limit)
      (user-error "Too many: ?( %d" count))
    (dolist (one items)
      (shop-price-round one ?\( ?\) ?a))
    (condition-case err
        (push item (shop-cart-items cart))
      (error (message "%s" err)))
    (mapc #'shop-cart--check items)
    (add-hook 'shop-cart-hook 'shop-cart--check)
    (cl-flet ((inner (x) (shop-price-of x)))
      (inner found))))

(defun shop-cart--check (item)
  (pcase item
    (`(,name . ,rest) (list name rest))
    ((pred stringp) (shop-price-parse item))))

(defmacro with-shop-cart (cart &rest body)
  "Run BODY with CART."
  (declare (indent 1))
  `(let ((shop-cart-current ,cart)) (shop-cart-open) ,@body))

(cl-defmethod shop-show ((cart shop-cart))
  "Show CART."
  (shop-cart-add cart 1))

(define-minor-mode shop-cart-mode
  "Show carts."
  :lighter " Cart"
  (shop-cart--check nil))

(defalias 'shop-cart-plus #'shop-cart-add)

(ert-deftest shop-cart-test-add ()
  (should (shop-cart-add nil 1)))

(provide 'shop-cart)
;;; shop-cart.el ends here
