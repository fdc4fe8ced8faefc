{-# LANGUAGE LambdaCase #-}
-- | The shop.
module Shop.Cart (Cart (..), total, Priced) where

import Control.Monad (forM_, when)
import Data.Map.Strict (Map)
import qualified Data.Map.Strict as M

-- | What has a price.
class Eq a => Priced a where
  price :: a -> Int
  price _ = 0

data Item = Item
  { name :: String -- ^ shown
  , cost :: !Int
  } deriving (Eq, Show)

data Shape = Circle Double | Square Double

newtype Cart = Cart { items :: Map String Item }

type Items = [Item]

instance Priced Item where
  price = cost

instance Show a => Priced (Maybe a) where
  price Nothing = 1

-- | Sums it up.
total :: Cart -> Int
total (Cart is)
  | M.null is = limit
  | otherwise = go 0 (M.elems is)
  where
    go acc [] = acc
    go acc (x : xs) = go (acc + price x) xs

{-# INLINE fact #-}
fact :: Int -> Int
fact 0 = 1
fact n = n * fact (n - 1)

limit :: Int
limit = 100

(<+>) :: Cart -> Cart -> Cart
Cart a <+> Cart b = Cart (M.union a b)

main :: IO ()
main = do
  forM_ [1 .. limit] $ \i -> when (even i) (print i)
  finish
