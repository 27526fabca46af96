! SPDX-License-Identifier: Apache-2.0
! Copyright The Articula authors
!
! The laws of cart.yaml in Fortran: plain subroutines, whose names the compiler writes in small letters with an
! underscore behind. Inputs are counted from 1 here: input i of articula/user.h is x(i + 1).

! link: a spring and a damper, F = k (Z - Z0) + c Zd
subroutine user_strut(x, y)
  implicit none
  double precision, intent(in) :: x(6)
  double precision, intent(out) :: y(1)
  y(1) = x(5)*(x(1) - x(4)) + x(6)*x(2)
end subroutine user_strut

! joint: a motor whose torque falls with its speed, Q = M0 - b qd
subroutine user_motor(x, y)
  implicit none
  double precision, intent(in) :: x(5)
  double precision, intent(out) :: y(1)
  y(1) = x(4) - x(5)*x(2)
end subroutine user_motor

! point: drag of the air, F = -rho A/2 |v| v
subroutine user_air(x, y)
  implicit none
  double precision, intent(in) :: x(20)
  double precision, intent(out) :: y(6)
  y(1:3) = -0.5d0*1.225d0*x(20)*norm2(x(4:6))*x(4:6)
  y(4:6) = 0
end subroutine user_air

! tyre: forces in proportion to load and slips
subroutine user_tread(x, y)
  implicit none
  double precision, intent(in) :: x(11)
  double precision, intent(out) :: y(6)
  y = [x(10)*x(4)*x(1), -x(11)*x(4)*x(2), x(4), 0d0, 0d0, 0d0]
end subroutine user_tread

! constraint: h = angle - ratio travel + offset, and its derivatives by travel and angle
subroutine user_flapping(x, y)
  implicit none
  double precision, intent(in) :: x(4)
  double precision, intent(out) :: y(3)
  y = [x(2) - x(3)*x(1) + x(4), -x(3), 1d0]
end subroutine user_flapping

! h has no second derivatives
subroutine user_flapping_bias(x, y)
  implicit none
  double precision, intent(in) :: x(6)
  double precision, intent(out) :: y(1)
  y(1) = 0*x(1)
end subroutine user_flapping_bias
