-- One statement a line over the rows of Tests/LarderSQLTests/ReportedStatementTests.swift, where conversions decide the answer.
-- Texts, integers and doubles beside values of other types.
SELECT id FROM T WHERE t >= 2 ORDER BY id
SELECT id FROM T WHERE t = 2 ORDER BY id
SELECT id FROM T WHERE t > 'a' ORDER BY id
SELECT id FROM T WHERE n = '2' ORDER BY id
SELECT id FROM T WHERE n > '1a' ORDER BY id
SELECT id FROM T WHERE n < 'x' ORDER BY id
SELECT id FROM T WHERE n = 2.0 ORDER BY id
SELECT id FROM T WHERE n > 1.5 AND n < 9.5 ORDER BY id
SELECT id FROM T WHERE n = 9007199254740992.0 ORDER BY id
SELECT id FROM T WHERE n >= 9007199254740993 ORDER BY id
SELECT id FROM T WHERE n < 9223372036854775808 ORDER BY id
SELECT id FROM T WHERE d = 2 ORDER BY id
SELECT id FROM T WHERE d >= '1.5' ORDER BY id
SELECT id FROM T WHERE d = 9007199254740993 ORDER BY id
-- NULL in comparisons and lists.
SELECT id FROM T WHERE o IS NOT 5 ORDER BY id
SELECT id FROM T WHERE o <> 5 ORDER BY id
SELECT id FROM T WHERE o IS NULL ORDER BY id
SELECT id FROM T WHERE NOT (o > 1) ORDER BY id
SELECT id FROM T WHERE o = NULL ORDER BY id
SELECT id FROM T WHERE o IN (5, NULL, '2') ORDER BY id
SELECT id FROM T WHERE o NOT IN (5, NULL) ORDER BY id
SELECT id FROM T WHERE o BETWEEN NULL AND 5 ORDER BY id
-- Booleans.
SELECT id FROM T WHERE b ORDER BY id
SELECT id FROM T WHERE b = 'true' ORDER BY id
SELECT id FROM T WHERE b = true ORDER BY id
SELECT id FROM T WHERE NOT b AND o > 1 ORDER BY id
-- Patterns and collations.
SELECT id FROM T WHERE s LIKE 'a%' ORDER BY id
SELECT id FROM T WHERE s LIKE 'É%' ORDER BY id
SELECT id FROM T WHERE s LIKE 'ab_' ORDER BY id
SELECT id FROM T WHERE s LIKE 'a\%c' ESCAPE '\' ORDER BY id
SELECT id FROM T WHERE s GLOB 'a*' ORDER BY id
SELECT id FROM T WHERE s GLOB 'a[b%]*' ORDER BY id
SELECT id FROM T WHERE s NOT LIKE 'a%' ORDER BY id
SELECT id FROM T WHERE s = 'ABC' COLLATE NOCASE ORDER BY id
SELECT id FROM T WHERE s > 'abc' COLLATE NOCASE ORDER BY id
SELECT id FROM T WHERE t = 'abc ' COLLATE RTRIM ORDER BY id
-- Orders and limits.
SELECT id FROM T ORDER BY s, id
SELECT id FROM T ORDER BY s COLLATE NOCASE, id
SELECT id FROM T ORDER BY o, id
SELECT id FROM T ORDER BY o DESC, id
SELECT id FROM T ORDER BY o NULLS LAST, id
SELECT id FROM T ORDER BY n DESC, id LIMIT 3 OFFSET 1
-- Aggregates and groups.
SELECT count(*), count(o), sum(o), avg(o), min(t), max(s) FROM T
SELECT count(DISTINCT o), group_concat(DISTINCT n) FROM T WHERE n < 100
SELECT o, count(*) FROM T GROUP BY o ORDER BY o
SELECT n, count(*) FROM T GROUP BY n HAVING count(*) > 1
SELECT min(n), id FROM T
-- Joins, subqueries and windows.
SELECT a.id, c.id FROM T a JOIN T c ON a.o = c.n ORDER BY 1, 2
SELECT a.id, c.id FROM T a LEFT JOIN T c ON c.n = a.o AND c.s LIKE 'a%' ORDER BY 1, 2
SELECT id FROM T WHERE t = n ORDER BY id
SELECT id FROM T WHERE id IN (SELECT o FROM T WHERE o IS NOT NULL) ORDER BY id
SELECT id FROM T WHERE EXISTS (SELECT 1 FROM T x WHERE x.o = T.id AND x.t > T.t) ORDER BY id
SELECT id, row_number() OVER (ORDER BY d DESC) FROM T ORDER BY id
SELECT typeof(id), typeof(t), typeof(d), typeof(b), typeof(o) FROM T WHERE id = 1
-- Lists and rows of mixed types.
SELECT id FROM T WHERE id > 3 AND id < '6' OR id = '1' ORDER BY id DESC
SELECT id FROM T WHERE t IN (2, '02', 'É') ORDER BY id
SELECT id FROM T WHERE n IN ('2', 7.0, 'x') ORDER BY id
SELECT id FROM T WHERE d IN (2, '1.5') ORDER BY id
SELECT id FROM T WHERE t LIKE 2 ORDER BY id
SELECT id FROM T WHERE t IS 'abc' OR t IS NOT '2' AND o IS NULL ORDER BY id
SELECT id FROM T WHERE (n, t) = (2, '2') ORDER BY id
SELECT id FROM T WHERE (n, t) > (2, 'a') ORDER BY id
SELECT id FROM T WHERE n = 2 ORDER BY t DESC LIMIT 1
