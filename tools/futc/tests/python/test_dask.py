"""Entry points inside of Dask, on a cluster of processes."""

import os
import unittest

import dask.array
import distributed
import numpy as np

import futc

TEXT = """
-- Some work on each block.
entry block [n][m] (xs: [n][m]f64) : [n][m]f64 = map (map (\\x -> x * x + 1)) xs
entry fail (i: i64) : i64 = (iota 3)[i]
entry total [n][m] (xs: [n][m]f64) : f64 = f64.sum (flatten xs)
"""


class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = futc.compile(TEXT, target="seq")
        cls.cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None
        )
        cls.client = distributed.Client(cls.cluster)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()

    def test_map_blocks(self):
        x = np.random.default_rng(1).random((200, 120))
        blocks = dask.array.from_array(x, chunks=(50, 40))
        result = blocks.map_blocks(self.program.block, dtype=x.dtype)
        np.testing.assert_array_equal(result.compute(), x * x + 1)
        # Equal work has equal names.
        again = blocks.map_blocks(self.program.block, dtype=x.dtype)
        self.assertEqual(result.name, again.name)

    def test_tasks(self):
        parts = [np.full((3, 3), float(i)) for i in range(20)]
        futures = self.client.map(self.program.total, parts)
        self.assertEqual(self.client.gather(futures), [9.0 * i for i in range(20)])

    def test_workers_are_other_processes(self):
        pids = self.client.run(os.getpid)
        self.assertNotIn(os.getpid(), pids.values())
        self.assertEqual(len(set(pids.values())), 2)

    def test_errors_come_back(self):
        future = self.client.submit(self.program.block, np.zeros(3))
        with self.assertRaisesRegex(ValueError, "2 dimensions are wanted"):
            future.result()
        with self.assertRaises(self.program.Error) as caught:
            self.client.submit(self.program.fail, 7).result()
        self.assertIn("Index [7] out of bounds", caught.exception.message)


if __name__ == "__main__":
    unittest.main()
