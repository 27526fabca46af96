! SPDX-License-Identifier: Apache-2.0
! Copyright The Articula authors
!
! The program of driver.c in Fortran, but for differences.
program driver
  use, intrinsic :: ieee_arithmetic
  use plant_model
  implicit none
  integer, parameter :: NQ = plant_NQ, NV = plant_NV, NS = plant_NS, NY = plant_NY
  integer, parameter :: n = 2*plant_NFREE + NS, k = plant_NU + NV
  type(plant_machine), save :: m, other
  double precision :: h, rate(NQ + NV + NS), a(NV), y(NY), g(plant_NEVENT), force(plant_NACTUATOR)
  double precision :: A_(n, n), B_(n, k), C_(NY, n), D_(NY, k), p(plant_NPARAMETER)
  double precision :: before(NQ + NV + NS + 1), held(plant_NU)
  integer :: steps, status, i, failures, unmade, free(plant_NFREE)
  character(len=40) :: word
  call get_command_argument(1, word)
  read (word, *) h
  call get_command_argument(2, word)
  read (word, *) steps
  print '(a, 9(1x, i0))', 'sizes', NQ, NV, NS, plant_NU, NY, plant_NEVENT, plant_NACTUATOR, &
      plant_NPARAMETER, plant_NFREE
  call names('position', plant_about%positions)
  call names('velocity', plant_about%velocities)
  call names('state', plant_about%states)
  call names('output', plant_about%outputs)
  call names('event', plant_about%events)
  call names('input', plant_about%inputs)
  call names('actuator', plant_about%actuators)
  call names('parameter', plant_about%parameters)
  call plant_start(m)
  call say('begin', state())
  call plant_close(m, status)
  call check(4, status == 0)
  call say('closed', state())
  call plant_rates(m, rate, status)
  call check(5, status == 0)
  call say('rates', rate)
  call plant_accelerate(m, a, status)
  call check(5, status == 0)
  call say('accelerations', a)
  call plant_outputs(m, y, status)
  call check(6, status == 0)
  call say('outputs', y)
  call plant_events(m, g, status)
  call check(7, status == 0)
  call say('events', g)
  call plant_inverse(m, a, force, status)
  call check(8, status == 0)
  call say('idle', force)
  call plant_linear(m, free, A_, B_, C_, D_, status)
  call check(9, status == 0)
  call say('A', reshape(transpose(A_), [size(A_)]))
  call say('B', reshape(transpose(B_), [size(B_)]))
  call say('C', reshape(transpose(C_), [size(C_)]))
  call say('D', reshape(transpose(D_), [size(D_)]))
  call say('free', free - 1d0)
  ! a step that is made again from a copy of the machine is the same
  other = m
  call plant_step(m, h, status)
  before = state()
  m = other
  call plant_step(m, h, status)
  call check(11, status == 0 .and. all(state() == before))
  do i = 2, steps
    call plant_step(m, h, status)
    call check(12, status == 0)
  end do
  call say('end', state())
  call plant_outputs(m, y, status)
  call check(13, status == 0)
  call say('last', y)
  call lead()
  failures = 0
  unmade = 0
  do i = 1, plant_NPARAMETER
    call plant_start(m)
    call plant_close(m, status)
    p = transfer(m%p, p)
    p(i) = p(i) + 100
    m%p = transfer(p, m%p)
    call plant_prepare(m)
    before = state()
    call plant_step(m, h, status)
    if (status == 0) cycle
    failures = failures + 1
    call check(16, all(state() == before) .and. m%failed /= '')
    print '(2a)', 'loop ', trim(m%failed)
  end do
  print '(a, i0)', 'failures ', failures
  do i = 1, plant_NPARAMETER
    call plant_start(m)
    call plant_close(m, status)
    p = transfer(m%p, p)
    p(i) = ieee_value(p(i), ieee_quiet_nan)
    m%p = transfer(p, m%p)
    call plant_prepare(m)
    m%u = m%u + 0.25d0
    before = state()
    held = m%u
    call plant_begin(m, status)
    if (status == 0) cycle
    unmade = unmade + 1
    call check(21, all(state() == before) .and. all(m%u == held) .and. m%failed /= '')
    print '(2a)', 'loop ', trim(m%failed)
  end do
  print '(a, i0)', 'unmade ', unmade

contains

  subroutine check(number, holds)
    integer, intent(in) :: number
    logical, intent(in) :: holds
    if (holds) return
    print *, number, trim(m%failed)
    error stop
  end subroutine check

  subroutine put(t, x, length, rate)
    double precision, intent(in) :: t, x(:), length, rate(:)
    m%t = t + length
    m%q = x(1:NQ) + length*rate(1:NQ)
    m%v = x(NQ + 1:NQ + NV) + length*rate(NQ + 1:NQ + NV)
    m%s = x(NQ + NV + 1:NQ + NV + NS) + length*rate(NQ + NV + 1:NQ + NV + NS)
  end subroutine put

  ! A step by the midpoint method from (t, x); returns the least margin at its end.
  double precision function leap(t, x, length)
    double precision, intent(in) :: t, x(:), length
    double precision :: own(NQ + NV + NS + 1)
    call put(t, x, 0d0, x)
    call plant_rates(m, rate, status)
    call check(20, status == 0)
    own = state()
    call put(t, own, length/2, rate)
    call plant_rates(m, rate, status)
    call check(20, status == 0)
    call put(t, own, length, rate)
    call plant_close(m, status)
    call check(20, status == 0)
    call plant_margin(m, leap, status)
    call check(20, status == 0)
  end function leap

  ! A leap to the instant at which a margin becomes zero, where it does so within a length; does it?
  logical function has_come(length)
    double precision, intent(in) :: length
    double precision :: x(NQ + NV + NS + 1), t, lo, hi, middle
    x = state()
    t = m%t
    lo = 0
    hi = length
    has_come = leap(t, x, hi) < 0
    if (.not. has_come) return
    do i = 1, 50
      middle = (lo + hi)/2
      if (leap(t, x, middle) < 0) then
        hi = middle
      else
        lo = middle
      end if
    end do
    middle = leap(t, x, hi)
  end function has_come

  double precision function some(x)
    double precision, intent(in) :: x
    some = x
    if (.not. x < huge(0d0)) some = -1
  end function some

  ! A program that integrates by itself, by way of all instants and borders. It begins anew half way, and has
  ! a relay go over at last.
  subroutine lead()
    double precision :: next, goal, end_of, half, margin
    integer :: instants, changes
    logical :: has_begun
    instants = 0
    changes = 0
    call plant_start(m)
    call plant_begin(m, status)
    call check(20, status == 0)
    end_of = m%t + steps*h
    half = m%t + steps/2*h
    has_begun = .false.
    do while (m%t < end_of .and. changes < 1000)
      if (m%t > half .and. .not. has_begun) then
        has_begun = .true.
        call plant_begin(m, status)
        call check(20, status == 0)
      end if
      next = plant_next_instant(m)
      goal = min(m%t + h, end_of, next)
      if (has_come(goal - m%t)) then
        call plant_settle(m, .true., status)
        call check(20, status == 0)
        changes = changes + 1
        cycle
      end if
      m%t = goal
      if (goal < next) cycle
      call plant_pass(m, status)
      call check(20, status == 0)
      instants = instants + 1
    end do
    call say('own', state())
    call say('held', m%u)
    call plant_margin(m, margin, status)
    call say('passed', [1d0*instants, 1d0*changes, some(plant_next_instant(m)), some(margin)])
    call plant_settle(m, .true., status)
    call say('forced', [1d0*status])
    if (status /= 0) call say('sides', [double precision ::])
    if (status == 0) call say('sides', m%u)
  end subroutine lead

  function state()
    double precision :: state(NQ + NV + NS + 1)
    state = [m%q, m%v, m%s, m%t]
  end function state

  subroutine say(word, x)
    character(len=*), intent(in) :: word
    double precision, intent(in) :: x(:)
    integer :: i
    write (*, '(a)', advance='no') word
    do i = 1, size(x)
      write (*, '(es26.17e3)', advance='no') x(i)
    end do
    print '(a)', ''
  end subroutine say

  subroutine names(word, list)
    character(len=*), intent(in) :: word
    type(plant_entry), intent(in) :: list(:)
    integer :: i
    do i = 1, size(list)
      print '(2a, i0, 4a)', word, ' ', i - 1, ' ', trim(list(i)%name), '|', trim(list(i)%unit)
    end do
    call say(word // '-data', [(list(i)%value, max(list(i)%lower, -1d300), min(list(i)%upper, 1d300), i = 1, size(list))])
  end subroutine names
end program driver
