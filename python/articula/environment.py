# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A vector environment in the shape that reinforcement learning expects, without its packages."""
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from .shown import Shown, listed
from .simulator import Batch

if TYPE_CHECKING:
    from .model import Model
    from .names import Array


class Box(NamedTuple):
    """A space of vectors between two limits."""
    low: "Array"
    high: "Array"

    @property
    def shape(self) -> "tuple[int, ...]":
        return self.low.shape

    @property
    def dtype(self) -> Any:
        return self.low.dtype


class VectorEnvironment(Shown):
    """Machines that learn side by side.

    Actions are the inputs of the model, observations the chosen outputs. `reward(y, action)` and `is_over(y)` are functions of
    all machines at once, y by name: lambda y, a: -y["angle"]**2. Machines that are over, or that have lived for `horizon`
    steps, begin again at once; info["final_observation"] has what they saw last.
    """

    def __init__(self, model: "Model", n: int, reward: "Callable[[Any, Array], Array]", *, step: float = 0.01,
                 every: int = 1, horizon: int = 1000, observe: "list[str] | None" = None,
                 is_over: "Callable[[Any], Array] | None" = None,
                 scatter: "Callable[[Batch, Array, Any], None] | None" = None, threads: int = 0, **options: Any) -> None:
        import numpy as np
        self.batch = Batch(model, n, None, options, step, None, threads)
        self.num_envs = n
        self._reward, self._is_over, self._scatter = reward, is_over, scatter
        self._every, self._horizon = every, horizon
        names = model.outputs if observe is None else observe
        self._names = list(names)
        self._columns = [model._output_number[name] for name in names]
        limits = np.array([part[3:5] for part in model._inputs()], float).reshape(-1, 2)
        self.single_action_space = Box(limits[:, 0].copy(), limits[:, 1].copy())
        unbounded = np.full(len(names), np.inf)
        self.single_observation_space = Box(-unbounded, unbounded)
        self._age = np.zeros(n, int)
        self._rng = np.random.default_rng()

    def _observe(self) -> "Array":
        seen: "Array" = self.batch.y[:, self._columns]
        return seen

    def _begin(self, mask: "Array") -> None:
        """Back to the beginning, and from there to where `scatter(batch, mask, rng)` puts q and v."""
        self.batch.reset(mask)
        self._age[mask] = 0
        if self._scatter is not None:
            self._scatter(self.batch, mask, self._rng)
            self.batch.step(None, 0, mask)

    def reset(self, *, seed: "int | None" = None, options: Any = None) -> "tuple[Array, dict[str, Any]]":
        """Observations of all machines at their beginning, and an empty dict."""
        import numpy as np
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._begin(np.ones(self.num_envs, bool))
        return self._observe(), {}

    def step(self, action: "Array") -> "tuple[Array, Array, Array, Array, dict[str, Any]]":
        """Observations, rewards, which machines are over, which are cut off by the horizon, and info."""
        import numpy as np
        action = np.clip(action, *self.single_action_space)
        self.batch.step(action, self._every)
        self._age += 1
        seen = self._observe()
        reward = np.asarray(self._reward(self.batch, action), float)
        over = np.zeros(self.num_envs, bool) if self._is_over is None else np.asarray(self._is_over(self.batch), bool)
        late = (self._age >= self._horizon) & ~over
        ended = over | late
        info: "dict[str, Any]" = {}
        if ended.any():
            info["final_observation"] = seen
            self._begin(ended)
        return self._observe(), reward, over, late, info

    def close(self) -> None:
        """Nothing is left behind: machines end with the object."""

    def _facts(self) -> "list[tuple[str, Any]]":
        return [("machines", self.num_envs), ("actions", listed(self.batch.model.inputs)), ("observations", listed(self._names)),
                ("step", f"{self._every} x {self.batch.dt:g} s"), ("horizon", self._horizon)]
