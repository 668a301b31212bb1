-- Where a number of the carrier sip is registered: sip:user@registrar. Empty
-- where calls come without that, and with other carriers.
ALTER TABLE numbers ADD COLUMN trunk TEXT NOT NULL DEFAULT '';
