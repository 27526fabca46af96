! SPDX-License-Identifier: Apache-2.0
! Copyright The Articula authors
!
! Two laws of cart.yaml in Fortran as C sees them: under the names that bind(C) gives, with the third
! argument of C. A call names this library and one with the other laws.

subroutine strut(x, y, user) bind(C, name="strut")
  use iso_c_binding, only: c_double, c_ptr
  implicit none
  real(c_double), intent(in) :: x(6)
  real(c_double), intent(out) :: y(1)
  type(c_ptr), value :: user
  y(1) = x(5)*(x(1) - x(4)) + x(6)*x(2)
end subroutine strut

subroutine motor(x, y, user) bind(C, name="motor")
  use iso_c_binding, only: c_double, c_ptr
  implicit none
  real(c_double), intent(in) :: x(5)
  real(c_double), intent(out) :: y(1)
  type(c_ptr), value :: user
  y(1) = x(4) - x(5)*x(2)
end subroutine motor
