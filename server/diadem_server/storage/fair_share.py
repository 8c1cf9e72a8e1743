"""Which finished matches and results are dropped where there are too many: first those of who has most.

Everything is ranked twice. Of each player the newest is the first. Of each origin, which is the address a player first came from,
the first of each of its players come first, then the second of each, and so on. What has the highest rank in its origin goes first,
and a match has the lowest rank that it has for any of its players. So nobody loses a match because somebody else plays many, whether
as one player or under many names from one address; and of players at one address each keeps as many. A player of whom no origin is
known, or who is forgotten, is an origin of their own.
"""

from diadem_server.storage.statement import Statement

MATCHES = """
WITH owned AS (
    SELECT code, ended, coalesce(bytes, 0) AS bytes, session, coalesce(nullif(origin, ''), 'player ' || session) AS origin
    FROM tables LEFT JOIN played USING (code) LEFT JOIN sessions ON id = session WHERE ended IS NOT NULL
), of_players AS (
    SELECT *, row_number() OVER (PARTITION BY session ORDER BY ended DESC, code) AS rank FROM owned
), once AS (
    SELECT code, ended, bytes, origin, min(rank) AS rank FROM of_players
    GROUP BY code, ended, bytes, origin
), of_origins AS (
    SELECT code, ended, bytes, row_number() OVER share AS rank, sum(bytes) OVER share AS taken FROM once
    WINDOW share AS (
        PARTITION BY origin ORDER BY rank, ended DESC, code
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
), matches AS (
    SELECT code, ended, bytes, min(rank) AS rank, min(taken) AS taken
    FROM of_origins GROUP BY code, ended, bytes
), kept AS (
    SELECT code, ended, rank,
    row_number() OVER (ORDER BY rank, ended DESC, code) AS matches,
    sum(bytes) OVER (
        ORDER BY taken, ended DESC, code ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS bytes
    FROM matches
)
SELECT code FROM kept WHERE matches > $1 OR bytes > CAST($2 AS BIGINT) ORDER BY rank, ended DESC, code
"""
RESULTS = """
WITH of_players AS (
    SELECT match_id, session, ended, coalesce(nullif(origin, ''), 'player ' || session) AS origin,
    row_number() OVER (PARTITION BY session ORDER BY ended DESC, match_id) AS rank
    FROM results LEFT JOIN sessions ON id = session
), of_origins AS (
    SELECT match_id, session, ended, rank AS of_player,
    row_number() OVER (PARTITION BY origin ORDER BY rank, ended DESC, match_id, session) AS rank FROM of_players
), kept AS (
    SELECT match_id, session, of_player,
    row_number() OVER (ORDER BY rank, ended DESC, match_id, session) AS results FROM of_origins
)
SELECT match_id, session FROM kept WHERE results > $1 OR of_player > $2
"""


def superfluous(keep: int, keep_bytes: int) -> Statement:
    """The codes of finished matches beyond so many, or so many bytes."""
    return Statement(MATCHES, (keep, keep_bytes))


def are_too_many_results(keep: int, of_each: int) -> Statement:
    """Whether it is worth while to rank them all, which takes a while."""
    return Statement(
        "SELECT 1 WHERE (SELECT count(*) FROM results) > $1"
        " OR EXISTS (SELECT 1 FROM results GROUP BY session HAVING count(*) > $2)",
        (keep, of_each),
    )


def superfluous_results(keep: int, of_each: int) -> Statement:
    """Those beyond so many in all, and beyond so many of one player, by match and session."""
    return Statement(RESULTS, (keep, of_each))
