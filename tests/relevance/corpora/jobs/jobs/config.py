"""Settings, from a TOML file and the environment."""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Settings:
    directory: Path
    visibility_timeout: float
    base_delay: float
    max_attempts: int
    concurrency: int


def load_settings(path: Path) -> Settings:
    """Reads the settings; variables named QUEUE_… override the file."""
    table = tomllib.loads(path.read_text())
    queue, retry, worker = table["queue"], table["retry"], table["worker"]
    return Settings(
        directory=Path(os.environ.get("QUEUE_DIRECTORY", queue["directory"])),
        visibility_timeout=float(os.environ.get("QUEUE_VISIBILITY_TIMEOUT", queue["visibility_timeout"])),
        base_delay=float(retry["base_delay"]),
        max_attempts=int(retry["max_attempts"]),
        concurrency=int(worker["concurrency"]),
    )
