(** The cart. *)

open Base

type t

(** A mode. *)
type mode = Read | Write

val limit : int
(** Most that fits. *)

val total : t -> mode option -> int

module Inner : sig
  include Comparable.S
  val get : t -> int
end

module type S = sig
  type key
end
