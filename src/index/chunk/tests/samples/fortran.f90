! Orders of the shop.

!> Orders.
module order_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use item_mod, only: item, make => new_item
  use money_mod
  implicit none
  private
  public :: order, pay

  integer, parameter :: MAX_ITEMS = 10, LIMIT = 3
  real(real64), save :: total, rates(3) = 0

  enum, bind(c)
    enumerator :: small = 1, large
  end enum

  !> Pays something.
  interface pay
    module procedure pay_order, pay_many
  end interface pay

  interface operator(+)
    procedure plus
  end interface

  interface show
    module subroutine show_order(self, unit)
      class(order), intent(in) :: self
      integer, intent(in) :: unit
    end subroutine show_order
  end interface

  abstract interface
    function callback(x) result(y)
      real :: x, y
    end function callback
  end interface

  !> An order.
  type, extends(entity), public :: order
    private
    integer :: n = 0
    type(item), allocatable :: items(:)
    procedure(callback), pointer, nopass :: done => null()
  contains
    private
    procedure, public :: pay_it => pay_order
    procedure :: count_items
    procedure(callback), deferred :: run
    generic, public :: pay => pay_it, count_items
    final :: destroy
  end type order

contains

  !> Pays an order.
  pure subroutine pay_order(self, amount, unit)
    class(order), intent(inout) :: self
    real(real64), intent(in) :: amount
    integer, optional :: unit
    integer :: i, local
    type(item) :: one

#ifdef DEBUG
    call log_line('pay')
#endif
    one = make(3)
    call self%count_items(local)
    CALL Pay_Many(self, n=LIMIT)
    self%n = self%n + count_of(self%items(1))
    do i = 1, MAX_ITEMS
      rates(i) = one%price * to_euro(amount, &
        unit)
    end do
    select type (self)
    class is (order)
      call self%pay_it(amount)
    end select
    associate (q => self%items)
      call q(1)%print()
    end associate
  contains
    subroutine inner()
      call helper
    end subroutine inner
  end subroutine pay_order

  real function area(r) result(a)
    real, intent(in) :: r
    a = r * sin(r)
  end function area

  subroutine broken()
    x = = 3
  end subroutine broken

end module order_mod

submodule (order_mod) order_show
contains
  module procedure show_order
    write (unit, *) self%n
  end procedure show_order
end submodule order_show

program main
  use order_mod, only: order, pay
  implicit none
  type(order) :: it
  it = order(3)
  call pay(it)
end program main
