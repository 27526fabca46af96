% SPDX-License-Identifier: Apache-2.0
% Copyright The Articula authors
%
% The program of driver.c in MATLAB and Octave, but for differences.
function driver(h, steps)
  p = plant();
  m = p.start();
  n = p.about;
  say('sizes', [n.NQ, n.NV, n.NS, n.NU, n.NY, n.NEVENT, n.NACTUATOR, n.NPARAMETER, n.NFREE]);
  names('position', n.positions);
  names('velocity', n.velocities);
  names('state', n.states);
  names('output', n.outputs);
  names('event', n.events);
  names('input', n.inputs);
  names('actuator', n.actuators);
  names('parameter', n.parameters);
  say('begin', state(m));
  m = p.close(m);
  say('closed', state(m));
  [m, rate] = p.rates(m);
  say('rates', rate);
  [m, a] = p.accelerate(m);
  say('accelerations', a);
  [m, y] = p.outputs(m);
  say('outputs', y);
  [m, g] = p.events(m);
  say('events', g);
  [m, a, force] = p.inverse(m, a);
  say('idle', force);
  [m, free, A, B, C, D] = p.linear(m);
  say('A', A');
  say('B', B');
  say('C', C');
  say('D', D');
  say('free', free - 1);
  for i = 1:steps, m = p.step(m, h); end
  say('end', state(m));
  [m, y] = p.outputs(m);
  say('last', y);
  lead(p, h, steps);
  failures = 0;
  name = fieldnames(m.p);
  for i = 1:numel(name)
    m = p.close(p.start());
    m.p.(name{i}) = m.p.(name{i}) + 100;
    m = p.prepare(m);
    before = state(m);
    [m, status] = p.step(m, h);
    if status == 0, continue; end
    failures = failures + 1;
    if ~isequal(state(m), before) || isempty(m.failed), exit(1); end
    printf('loop %s\n', m.failed);
  end
  say('failures', failures);
  unmade = 0;
  for i = 1:numel(name)
    m = p.close(p.start());
    m.p.(name{i}) = NaN;
    m = p.prepare(m);
    m.u = m.u + 0.25;
    [own, status] = p.begin(m);
    if status == 0, continue; end
    unmade = unmade + 1;
    if ~isequal(state(own), state(m)) || ~isequal(own.u, m.u) || isempty(own.failed), exit(1); end
    printf('loop %s\n', own.failed);
  end
  say('unmade', unmade);
end


function say(word, x)
  printf('%s', word);
  printf(' %.17g', x(:));
  printf('\n');
end


function x = state(m)
  x = [m.q; m.v; m.s; m.t];
end


function m = put(p, m, t, x, past, rate)
  n = p.about;
  y = x + past*rate;
  m.t = t + past;
  m.q = y(1:n.NQ);
  m.v = y(n.NQ + 1:n.NQ + n.NV);
  m.s = y(n.NQ + n.NV + 1:end);
end


% a step by the midpoint method from (t, x), and the least margin at its end
function [m, margin] = leap(p, m, t, x, past)
  [m, rate] = p.rates(put(p, m, t, x, 0, x));
  own = [m.q; m.v; m.s];
  [m, rate] = p.rates(put(p, m, t, own, past/2, rate));
  [m, margin] = p.margin(p.close(put(p, m, t, own, past, rate)));
end


% A leap to the instant at which a margin becomes zero, where it does so within a length; does it?
function [m, has_come] = leap_to_border(p, m, past)
  x = [m.q; m.v; m.s];
  t = m.t;
  lo = 0;
  [m, margin] = leap(p, m, t, x, past);
  has_come = margin < 0;
  if ~has_come, return; end
  for i = 1:50
    middle = (lo + past)/2;
    [m, margin] = leap(p, m, t, x, middle);
    if margin < 0, past = middle; else, lo = middle; end
  end
  m = leap(p, m, t, x, past);
end


% A program that integrates by itself, by way of all instants and borders. It begins anew half way, and has
% a relay go over at last.
function lead(p, h, steps)
  instants = 0;
  changes = 0;
  has_begun = false;
  m = p.begin(p.start());
  goal = m.t + steps*h;
  half = m.t + floor(steps/2)*h;
  while m.t < goal && changes < 1000
    if m.t > half && ~has_begun
      has_begun = true;
      m = p.begin(m);
    end
    next = p.next_instant(m);
    stop = min([m.t + h, goal, next]);
    [m, has_come] = leap_to_border(p, m, stop - m.t);
    if has_come
      m = p.settle(m, true);
      changes = changes + 1;
      continue
    end
    m.t = stop;
    if stop < next, continue; end
    m = p.pass(m);
    instants = instants + 1;
  end
  say('own', state(m));
  say('held', m.u);
  [m, margin] = p.margin(m);
  last = [p.next_instant(m), margin];
  last(isinf(last)) = -1;
  say('passed', [instants, changes, last]);
  [m, forced] = p.settle(m, true);
  say('forced', forced);
  say('sides', m.u(1:end*(forced == 0)));
end


function names(word, list)
  for i = 1:numel(list), printf('%s %d %s|%s\n', word, i - 1, list(i).name, list(i).unit); end
  say([word, '-data'], max(min([[list.value]; [list.lower]; [list.upper]], 1e300), -1e300));
end
