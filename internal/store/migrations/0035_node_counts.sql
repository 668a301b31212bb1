-- What each node has counted of limits that hold over all nodes, in the form that
-- internal/limit gives it. The beat is another each time: nodes do not compare clocks.
CREATE TABLE node_counts (
    node   {id}   PRIMARY KEY,
    beat   BIGINT NOT NULL,
    counts TEXT   NOT NULL
);
