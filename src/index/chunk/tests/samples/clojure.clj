;; Carts.
(ns shop.cart
  "What somebody wants to buy."
  (:require [clojure.string :as str]
            [shop.price :as price :refer [round total]]
            [shop.util :refer :all]
            (shop [db :as db] log))
  (:import (java.util Date UUID)
           [shop.types Receipt]))

(declare later)

(def ^:private limit "Most items." 20)
(defonce carts (atom {}))

;; A shape of a thing.
(defprotocol Shape
  "Things with an area."
  (area [this] "Its area.")
  (scale [this n]))

(defrecord Cart [id items]
  Shape
  (area [this] (price/round (count items)))
  (scale [_ n] n))

(defn ^:deprecated add!
  "Adds an item."
  ([cart] (add! cart nil))
  ([{:keys [items] :as cart} item]
   (let [n (inc (count items))
         [a & more] items]
     (when (> n limit)
       (throw (ex-info "too many (really)" {:n n})))
     (swap! carts assoc (:id cart) (->Cart 1 (conj items item)))
     (str/join "," (map total more))
     (db/save! cart #(round %) \( \newline #"\(a"))))

(defn- checked? [cart] #_(ignored cart) (boolean (seq (:items cart))))

(defmacro with-cart [cart & body] `(let [c# ~cart] (open! c#) ~@body))

(defmulti shown :type)
(defmethod shown :cart [cart] (later cart))
(def total-of (fn [cart] (reduce + (map price/of (:items cart)))))

(s/defn typed :- Long [n] (add! n))
(defroutes app (GET "/" [] (shown {})))

(comment
  (add! {} 1))

(deftest adds
  (is (= 1 (count (add! {} 1)))))
