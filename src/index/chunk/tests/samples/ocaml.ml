(* Licence. *)
open Base
open Core.Unix

exception Broken of string

(** What has a price. *)
module type PRICED = sig
  type t
  val price : t -> int
end

type shape = Circle of float | Square of float

type item = { name : string; mutable cost : int }
and cart = item list

let limit = 100
(** How many at most. *)

let () =
  let local = limit in
  let twice n = 2 * n in
  ignore (twice local)

(** Sums it up. *)
let total (cart : Cart.t) =
  let add acc item = acc + Price.of_item item in
  List.fold_left add 0 cart

let rec even n = n = 0 || odd (n - 1)
and odd n = n <> 0 && even (n - 1)

let show = function
  | Circle r -> Printf.sprintf "%f" r
  | Square _ -> raise (Broken "x")

let ( <+> ) a b = merge a b

module Cart (P : PRICED) : sig type t end = struct
  include P
  let empty = []
end

class counter init = object (self)
  inherit base
  val mutable n = init
  method incr = n <- n + 1; self#log n
end

external now : unit -> float = "caml_now"

let () = print_endline (show (Circle 1.0))
