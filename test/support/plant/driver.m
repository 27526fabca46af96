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
end


function say(word, x)
  printf('%s', word);
  printf(' %.17g', x(:));
  printf('\n');
end


function x = state(m)
  x = [m.q; m.v; m.s; m.t];
end


function names(word, list)
  for i = 1:numel(list), printf('%s %d %s|%s\n', word, i - 1, list(i).name, list(i).unit); end
end
