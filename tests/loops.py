"""Many cases in one test: each costs microseconds, where a test of its own costs milliseconds."""

import functools
import inspect


def each(names, values):
    """Run a test for all values of its parameters, as ``pytest.mark.parametrize`` does, but in one test.

    Where it fails, the last line of its output is the case.
    """
    names, values = names.split(","), list(values)

    def decorated(test):
        def for_each(*arguments, **fixtures):
            for value in values:
                case = dict(zip(names, value if len(names) > 1 else [value]))
                print(
                    ", ".join(
                        f"{name}={getattr(value, 'id', value)!r}" for name, value in case.items()
                    )
                )
                test(*arguments, **fixtures, **case)

        signature = inspect.signature(test)
        left = [given for name, given in signature.parameters.items() if name not in names]
        functools.update_wrapper(for_each, test).__signature__ = signature.replace(parameters=left)
        return for_each

    return decorated
