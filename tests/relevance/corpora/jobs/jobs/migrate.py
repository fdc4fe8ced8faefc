"""Brings the directory of an old version to the present layout.

Version one kept all jobs in one file. Version two kept a file for each job without its state. This
module reads both and writes version three.
"""

import json
import shutil
from pathlib import Path


def migrate_directory(directory: Path, dry_run: bool = False) -> list[str]:
    """Migrates every file of a directory and returns what was done, one line for each step.

    The steps are done in an order that can be interrupted: a file is removed only after its
    successor was written. With `dry_run` nothing is written.
    """
    done = []
    version_file = directory / "version"
    version = int(version_file.read_text()) if version_file.exists() else 1
    if version > 3:
        raise ValueError(f"the directory has version {version}, which is newer than this program")
    if version == 1:
        old = directory / "jobs.json"
        if not old.exists():
            done.append("nothing to migrate: there is no jobs.json")
        else:
            entries = json.loads(old.read_text())
            for number, entry in enumerate(entries):
                identifier = entry.get("id") or f"legacy-{number:06d}"
                target = directory / f"{identifier}.json"
                if target.exists():
                    done.append(f"kept {target.name}: it was migrated before")
                    continue
                body = {
                    "id": identifier,
                    "handler": entry["function"],
                    "arguments": entry.get("kwargs", {}),
                    "due": entry.get("eta", 0.0),
                    "attempts": entry.get("retries", 0),
                }
                if not dry_run:
                    target.write_text(json.dumps(body))
                done.append(f"wrote {target.name} from entry {number} of jobs.json")
            backup = directory / "jobs.json.bak"
            if not dry_run:
                shutil.move(old, backup)
            done.append(f"moved jobs.json to {backup.name}")
        version = 2
    if version == 2:
        for path in sorted(directory.glob("*.json")):
            body = json.loads(path.read_text())
            if "state" in body:
                done.append(f"kept {path.name}: it has a state")
                continue
            attempts = body.get("attempts", 0)
            body["state"] = "dead" if attempts >= 5 else "waiting"
            if not isinstance(body.get("arguments"), dict):
                body["arguments"] = {"value": body.get("arguments")}
                done.append(f"wrapped the arguments of {path.name}")
            if not dry_run:
                temporary = path.with_suffix(".tmp")
                temporary.write_text(json.dumps(body))
                temporary.replace(path)
            done.append(f"added the state '{body['state']}' to {path.name}")
        for lock in directory.glob("*.lock"):
            if not dry_run:
                lock.unlink()
            done.append(f"removed the stale lock {lock.name}")
        version = 3
    if not dry_run:
        version_file.write_text(str(version))
    done.append(f"the directory now has version {version}")
    return done
