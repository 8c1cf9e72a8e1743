"""The schema in PostgreSQL, and its migrations: each node applies what is missing, one at a time."""

import secrets

import asyncpg

from diadem_server.storage.journal import JournalUnavailable

MIGRATION_LOCK = 4_242_001
"""The key of the advisory lock under which the schema is migrated."""
MIGRATION_SECONDS = 600.0
"""For each step: an index over many millions of entries takes a while, in which other nodes cannot write."""
LINK_KEY_BYTES = 32
LINK_KEY = "SELECT key FROM link_keys"
"""What nodes prove to each other that they know."""
NEW_LINK_KEY = "INSERT INTO link_keys SELECT $1 WHERE NOT EXISTS (SELECT FROM link_keys)"
SCHEMAS = (
    """
CREATE TABLE nodes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, beat BIGINT NOT NULL DEFAULT 0,
    address TEXT NOT NULL, version TEXT NOT NULL, fingerprint TEXT NOT NULL,
    draining BOOLEAN NOT NULL DEFAULT false
);
CREATE TABLE link_keys (key BYTEA NOT NULL);
CREATE TABLE commits (node BIGINT PRIMARY KEY, number BIGINT NOT NULL) WITH (fillfactor = 50);
CREATE TABLE tables (
    code TEXT PRIMARY KEY, made DOUBLE PRECISION NOT NULL, setup BYTEA NOT NULL, seed BYTEA NOT NULL,
    version BIGINT NOT NULL, ended DOUBLE PRECISION, line BYTEA, owner BIGINT
);
CREATE INDEX ended_tables ON tables (ended);
CREATE INDEX owned_tables ON tables (owner) WHERE ended IS NULL;
CREATE TABLE entries (
    code TEXT NOT NULL, number BIGINT NOT NULL, entry BYTEA NOT NULL,
    session BIGINT, command BIGINT, digest TEXT NOT NULL, content BIGINT,
    PRIMARY KEY (code, number)
);
CREATE VIEW all_entries AS SELECT * FROM entries;
CREATE TABLE sessions (
    id BIGINT PRIMARY KEY, token BYTEA NOT NULL UNIQUE, name TEXT NOT NULL,
    seen DOUBLE PRECISION NOT NULL
);
CREATE TABLE played (session BIGINT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (session, code));
CREATE TABLE chat (
    code TEXT NOT NULL, number BIGINT NOT NULL, line BYTEA NOT NULL, session BIGINT,
    PRIMARY KEY (code, number)
);
CREATE TABLE bans (
    code TEXT NOT NULL, session BIGINT NOT NULL, name TEXT NOT NULL, prefix TEXT NOT NULL,
    PRIMARY KEY (code, session)
);
CREATE TABLE mutes (session BIGINT NOT NULL, muted BIGINT NOT NULL, PRIMARY KEY (session, muted));
CREATE TABLE answers (
    session BIGINT NOT NULL, slot BIGINT NOT NULL, number BIGINT NOT NULL,
    command BIGINT NOT NULL, content BIGINT NOT NULL, answer BYTEA NOT NULL,
    PRIMARY KEY (session, slot)
) WITH (fillfactor = 70);
CREATE TABLE ready (
    code TEXT NOT NULL, session BIGINT NOT NULL, entry BIGINT NOT NULL, PRIMARY KEY (code, session)
);
CREATE TABLE codes (
    code TEXT PRIMARY KEY, node BIGINT REFERENCES nodes ON DELETE SET NULL
);
CREATE INDEX codes_of_nodes ON codes (node);
CREATE TABLE seats (session BIGINT PRIMARY KEY, code TEXT NOT NULL);
CREATE INDEX seats_of_tables ON seats (code);
CREATE SEQUENCE connection_numbers;
CREATE TABLE connections (
    session BIGINT PRIMARY KEY REFERENCES sessions, number BIGINT NOT NULL,
    node BIGINT NOT NULL REFERENCES nodes ON DELETE CASCADE
);
CREATE INDEX connections_of_nodes ON connections (node);
CREATE TABLE names (
    look TEXT NOT NULL, session BIGINT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    PRIMARY KEY (look, session)
);
CREATE INDEX names_of_sessions ON names (session);
CREATE SEQUENCE session_blocks MINVALUE 0;
""",
    """
CREATE TABLE replaced (
    node BIGINT NOT NULL REFERENCES nodes ON DELETE CASCADE,
    session BIGINT NOT NULL, number BIGINT NOT NULL
);
CREATE INDEX replaced_of_nodes ON replaced (node);
""",
    """
ALTER TABLE tables ADD COLUMN summed BIGINT;
CREATE TABLE results (
    match_id BIGINT NOT NULL, session BIGINT NOT NULL, game TEXT NOT NULL,
    ended DOUBLE PRECISION NOT NULL, result BYTEA NOT NULL, PRIMARY KEY (match_id, session)
);
CREATE INDEX results_of_players ON results (session, ended);
CREATE INDEX results_of_games ON results (game, ended);
CREATE TABLE unlisted (session BIGINT PRIMARY KEY);
""",
    """
ALTER TABLE sessions ADD COLUMN origin TEXT;
ALTER TABLE tables ADD COLUMN bytes BIGINT;
UPDATE tables SET bytes =
    (SELECT coalesce(sum(length(entry) + 220), 0) FROM entries WHERE entries.code = tables.code)
    WHERE ended IS NOT NULL;
CREATE INDEX entries_of_commands ON entries (code, session, command) WHERE command IS NOT NULL;
""",
)
"""What each version has added to the one before. They only add: nodes of the version before play on meanwhile, and
write what they know of."""
OLDEST = 15
"""The version of PostgreSQL that this is tried with, and newer ones."""


class OtherVersion(JournalUnavailable):
    """PostgreSQL is too old, or the schema that of a newer version of this program."""


async def migrate(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Bring an empty database, or one of an older version, to the newest schema."""
    if (engine := connection.get_server_version().major) < OLDEST:
        raise OtherVersion(f"--cluster needs PostgreSQL {OLDEST} or newer; this one is {engine}")
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
        await connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT)")
        version = await connection.fetchval("SELECT max(version) FROM schema_version") or 0
        if version > len(SCHEMAS):
            raise OtherVersion(
                "the database of --cluster belongs to a newer version of Diadem"
                f" (schema {version}; this one knows {len(SCHEMAS)})"
            )
        for number, added in enumerate(SCHEMAS[version:], start=version + 1):
            await connection.execute(added, timeout=MIGRATION_SECONDS)
            await connection.execute("INSERT INTO schema_version VALUES ($1)", number)
        await connection.execute(NEW_LINK_KEY, secrets.token_bytes(LINK_KEY_BYTES))
