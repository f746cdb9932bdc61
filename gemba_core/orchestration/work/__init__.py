"""Work to claim: where items are kept (a WorkPlane), how one is reserved, and how it gets an agent.

`item` and `plane` are the contract; `queue` and `beads` keep it, `binding` says
which of them does here; `reservations` and `dispatch` are built on it, `report`
and `lost` are about what has become of an item.
"""
