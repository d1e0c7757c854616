-- For tests of upgrades: removes what only binaries before `expand.sql` use.
DROP INDEX jobs_newest;
