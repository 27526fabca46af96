! SPDX-License-Identifier: Apache-2.0
! Copyright The Articula authors
!
! The program of driver.c in Fortran, but for differences.
program driver
  use plant_model
  implicit none
  integer, parameter :: NQ = plant_NQ, NV = plant_NV, NS = plant_NS, NY = plant_NY
  integer, parameter :: n = 2*plant_NFREE + NS, k = plant_NU + NV
  type(plant_machine), save :: m, other
  double precision :: h, rate(NQ + NV + NS), a(NV), y(NY), g(plant_NEVENT), force(plant_NACTUATOR)
  double precision :: A_(n, n), B_(n, k), C_(NY, n), D_(NY, k), p(plant_NPARAMETER)
  double precision :: before(NQ + NV + NS + 1)
  integer :: steps, status, i, failures, free(plant_NFREE)
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
  failures = 0
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

contains

  subroutine check(number, holds)
    integer, intent(in) :: number
    logical, intent(in) :: holds
    if (holds) return
    print *, number, trim(m%failed)
    error stop
  end subroutine check

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
  end subroutine names
end program driver
